"""Output that is read: words, tables, texts, figures, pages, and the site of a league."""
