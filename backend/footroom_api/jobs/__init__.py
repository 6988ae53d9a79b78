"""Running studies in the background, and notifying watchers."""

from footroom_api.jobs.feed import Feed, Watcher
from footroom_api.jobs.papers import PaperJobs
from footroom_api.jobs.scheduler import Progress, Scheduler, Work
from footroom_api.jobs.searches import SearchJobs
from footroom_api.jobs.warm import WarmUp

__all__ = ["Feed", "PaperJobs", "Progress", "Scheduler", "SearchJobs", "WarmUp", "Watcher", "Work"]
