"""The server's database: studies, their points and every result computed."""

from footroom_api.persistence.claim import Claim, claim_of
from footroom_api.persistence.database import migrate, open_database
from footroom_api.persistence.faults import StoreLostError, reason
from footroom_api.persistence.points import StoredPoint
from footroom_api.persistence.pulse import Pulse
from footroom_api.persistence.results import ResultStore
from footroom_api.persistence.studies import FINAL, KEEP, UNANSWERED, Page, StoredStudy, StudyStore, Waiting

__all__ = [
    "FINAL",
    "KEEP",
    "UNANSWERED",
    "Claim",
    "Page",
    "Pulse",
    "ResultStore",
    "StoreLostError",
    "StoredPoint",
    "StoredStudy",
    "StudyStore",
    "Waiting",
    "claim_of",
    "migrate",
    "open_database",
    "reason",
]
