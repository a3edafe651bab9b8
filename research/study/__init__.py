"""Research tools: studies of games.

    from pasch.coach.markdown import page
    from research.study.measure import StudyPlan, measure_study
    from research.study.study_document import document

    page(document(measure_study(StudyPlan.of("fiese15"))))

A study measures what a game is worth, how its scores are spread, what is luck and what to learn first.
`measure` says how many games of each kind are played, plays and counts them, `study_document`
writes the result. The same seed gives the same page, byte for byte.
"""
