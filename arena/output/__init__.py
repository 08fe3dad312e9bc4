"""Output for people: words, tables, texts, figures, pages, and the site of a league."""
