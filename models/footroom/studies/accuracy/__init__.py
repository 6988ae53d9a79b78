"""How far each engine is from packets: measured over a grid of small scenarios, and looked up for any other.

footroom papers run ENGINES --json > run.json
python -m footroom.studies.accuracy.release run.json 2026-11-23 > models/footroom/studies/accuracy/data/engines.json
"""
