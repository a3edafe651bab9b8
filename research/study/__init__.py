"""Research tools: studies of games.

    from pasch.coach.html import page
    from research.study.measure import measure_study
    from research.study.study_document import document
    from research.study.study_plan import StudyPlan

    page(document(measure_study(StudyPlan.of("fiese15"))))

A study measures what a game is worth, how its scores are spread, what is luck and what to learn first.
`study_plan` says how many games of each kind are played, `measure` plays and counts them, `study_document`
writes the result. The same seed gives the same page, byte for byte.
"""
