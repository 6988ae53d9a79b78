"""Questions that people who size buffers ask, each with the view, the values and the command that answer it.

The data are one JSON file per topic in ``data``. A question that cannot be answered yet says what is missing.
"""

from footroom.questions.catalogue import QUESTIONS, index, question_named
from footroom.questions.question import Question

__all__ = ["QUESTIONS", "Question", "index", "question_named"]
