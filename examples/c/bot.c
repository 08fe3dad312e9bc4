/* A bot for the arena. It reads messages and writes answers, JSON, one a line: docs/protocol.md has them all.
   The reading of JSON below looks members up by name and skips over everything else. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 3, MOST = 64 };

static const char RANKS[] = "23456789TJQKA";
static const char *const CONTENT[] = {"knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"};

/* ---- JSON ---- */

static const char *blank(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') at++;
    return at;
}

/* Past a value: a text, a number or word, an array or an object. */
static const char *skip(const char *at)
{
    int depth = 0;
    at = blank(at);
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
            if (*at) at++;
        } else if (*at == '[' || *at == '{') {
            depth++;
            at++;
        } else if (*at == ']' || *at == '}') {
            depth--;
            at++;
        } else if (depth) {
            at++;
        } else {
            while (*at && !strchr(",]} \t\r\n", *at)) at++;
        }
    } while (*at && depth > 0);
    return at;
}

/* The value of a member of an object; NULL where there is none. Names are compared as they are written. */
static const char *member(const char *object, const char *name)
{
    size_t length = strlen(name);
    const char *at = object ? blank(object) : "";
    if (*at != '{') return NULL;
    at = blank(at + 1);
    while (*at == '"') {
        const char *key = at + 1;
        const char *value = blank(skip(at));
        if (*value != ':') return NULL;
        value = blank(value + 1);
        if (!strncmp(key, name, length) && key[length] == '"') return value;
        at = blank(skip(value));
        if (*at == ',') at = blank(at + 1);
    }
    return NULL;
}

/* Whether a value is this text. */
static int is_text(const char *value, const char *text)
{
    size_t length = strlen(text);
    return value && *value == '"' && !strncmp(value + 1, text, length) && value[length + 1] == '"';
}

/* ---- the game ---- */

static int rank_of(const char *card)
{
    const char *found = strchr(RANKS, card[0]);
    return found && card[0] ? (int)(found - RANKS) : -1;
}

static int is_card(const char *at) { return rank_of(at) >= 0 && at[1] && strchr("SHDC", at[1]); }

/* An ace counts 11, a court card 10. */
static int pips(int rank) { return rank == 12 ? 11 : rank > 8 ? 10 : rank + 2; }

/* What three cards are worth: three alike, a sequence of one suit, a flush, a pair, and else their pips. */
static int worth(const char *const *cards)
{
    int high = rank_of(cards[0]), middle = rank_of(cards[1]), low = rank_of(cards[2]), spare;
    if (high < middle) spare = high, high = middle, middle = spare;
    if (middle < low) spare = middle, middle = low, low = spare;
    if (high < middle) spare = high, high = middle, middle = spare;
    int in_order = (high * 13 + middle) * 13 + low;
    if (high == low) return 40000 + in_order;
    int is_flush = cards[0][1] == cards[1][1] && cards[1][1] == cards[2][1];
    if (is_flush && high == middle + 1 && middle == low + 1) return 30000 + in_order;
    if (is_flush) return 20000 + in_order;
    if (high == middle || middle == low) return 10000 + middle * 100 + high + low;
    return pips(high) + pips(middle) + pips(low);
}

/* The cards that stand at `at`, with this sign between them; how many, and where they end. */
static int read_cards(const char *at, char between, const char **cards, const char **end)
{
    int count = 0;
    while (is_card(at) && count < MOST) {
        cards[count++] = at;
        at += 2;
        if (*at != between) break;
        at++;
    }
    *end = at;
    return count;
}

/* What the hand is worth after "4D,5H>9D,JS"; -1 for an action that is written in another way. */
static int worth_after(const char *action, const char *const *hand)
{
    const char *given[MOST], *taken[MOST], *made[CARDS], *end;
    int count = read_cards(action + 1, ',', given, &end);
    if (!count || *end != '>' || read_cards(end + 1, ',', taken, &end) != count || *end != '"') return -1;
    for (int i = 0; i < CARDS; i++) {
        made[i] = hand[i];
        for (int j = 0; j < count; j++)
            if (!strncmp(hand[i], given[j], 2)) made[i] = taken[j];
    }
    return worth(made);
}

static int is_content(const char *action)
{
    for (size_t i = 0; i < sizeof CONTENT / sizeof *CONTENT; i++)
        if (is_text(action, CONTENT[i])) return 1;
    return 0;
}

/* The place among the legal actions of what to do. */
static int choose(const char *view)
{
    const char *hand[MOST], *end, *text = member(view, "hand"), *at = member(view, "legal");
    int most = 0, best = -1, content = -1, place = 0;
    int known = text && read_cards(text + 1, ' ', hand, &end) == CARDS && *end == '"';
    if (known) most = worth(hand);
    if (!at || *at != '[') return 0;
    for (at = blank(at + 1); *at == '"'; place++) {
        int made = known ? worth_after(at, hand) : -1;
        if (made > most) most = made, best = place;
        if (is_content(at)) content = place;
        at = blank(skip(at));
        if (*at == ',') at = blank(at + 1);
    }
    if (best >= 0) return best;
    return content >= 0 ? content : place - 1;
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        const char *type = member(line, "t"), *match = member(line, "m");
        if (is_text(type, "hello")) puts("{\"t\":\"ready\",\"v\":1,\"events\":false}");
        if (is_text(type, "act") && match)
            printf("{\"t\":\"action\",\"m\":%ld,\"action\":%d}\n", strtol(match, NULL, 10), choose(member(line, "view")));
        fflush(stdout);
    }
    free(line);
    return 0;
}
