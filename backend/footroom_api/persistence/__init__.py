"""What the server remembers: studies, their points and every result ever computed."""

from footroom_api.persistence.claim import Claim
from footroom_api.persistence.database import open_database
from footroom_api.persistence.results import ResultStore
from footroom_api.persistence.studies import Page, StoredPoint, StoredStudy, StudyStore

__all__ = ["Claim", "Page", "ResultStore", "StoredPoint", "StoredStudy", "StudyStore", "open_database"]
