/** The choice of an action by the places on the table that it is about. */
class ActionChoice {
  constructor(groups) {
    this.actions = groups.flatMap((group) => group.actions);
    this.chosen = [];
  }

  /** Return all places that some action is about. */
  get places() {
    return new Set(this.actions.flatMap((action) => action.places));
  }

  /** Return the actions that are about the chosen places and no others. */
  get matching() {
    if (!this.chosen.length) return [];
    return this.actions.filter((action) => action.places.length === this.chosen.length && this.includesChosen(action));
  }

  /** Return the places that can be chosen beside those chosen already. */
  get following() {
    const open = this.actions.filter((action) => this.includesChosen(action));
    return new Set(open.flatMap((action) => action.places).filter((place) => !this.chosen.includes(place)));
  }

  includesChosen(action) {
    return this.chosen.every((place) => action.places.includes(place));
  }

  /** Choose a place, or give it up; of the places chosen before, keep as many as go with it.
   *
   * If only one action is left, all its places are chosen. */
  toggle(place) {
    if (this.chosen.includes(place)) {
      this.chosen = this.chosen.filter((one) => one !== place);
      return;
    }
    const kept = this.actions.filter((action) => action.places.includes(place))
      .map((action) => this.chosen.filter((one) => action.places.includes(one)));
    const most = kept.reduce((best, one) => (one.length > best.length ? one : best), []);
    this.chosen = [...most, place];
    const open = this.actions.filter((action) => this.includesChosen(action));
    if (open.length === 1) this.choose(open[0]);
  }

  choose(action) {
    this.chosen = [...action.places];
  }

  clear() {
    this.chosen = [];
  }
}
