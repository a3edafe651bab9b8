"""A study of a game: what it is worth, how it is spread, what is luck, and what to learn first.

    from pasch.lab.study.measure import study
    from pasch.lab.study.page import page

    page(study("fiese15"))

`plan` says what is played and how often, and what a study follows from; `measure` plays and counts; `page`
writes it down with the `pictures`. The same seed gives the same page, byte for byte.
"""
