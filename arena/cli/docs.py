"""`arena docs`: list the pages of the documentation, or print one."""

import click

from arena.errors import suggest_nearest
from arena.files_outside_package import find_shipped

START = """\
Start here:
  arena docs README                what the arena is, with the first commands
  arena docs concepts              the terms, and what a rating means
  arena docs writing-a-bot         from a first bot to a strong one
  arena docs running-tournaments   configs, formats and files
"""


@click.command(epilog="Example: arena docs writing-a-bot")
@click.argument("page", required=False)
def command(page: str | None) -> None:
    """List the pages of the documentation, or print one.

    The list begins with where to start. Links between pages name the page: protocol.md is `arena docs
    protocol`.
    """
    pages = _read_pages()
    if page is None:
        click.echo(f"{START}\nAll pages:")
        width = max(map(len, pages))
        for name, text in sorted(pages.items()):
            click.echo(f"  {name:{width}}  {text.splitlines()[0].removeprefix('# ')}")
    elif page in pages:
        click.echo(pages[page].rstrip())
    else:
        raise click.UsageError(f"there is no page {page!r}; {suggest_nearest(page, pages)}.")


def _read_pages() -> dict[str, str]:
    """Return the pages by name: those in the package or, in a checkout, those of its sources."""
    pages = (find_shipped("docs/README.md", "README.md"), *find_shipped("docs", "docs").glob("*.md"))
    return {page.name.removesuffix(".md"): page.read_text(encoding="utf-8") for page in pages}
