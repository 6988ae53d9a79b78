"""Running studies in the background, and telling those who watch."""

from footroom_api.jobs.controls import ControlsJobs
from footroom_api.jobs.feed import Feed, Watcher
from footroom_api.jobs.papers import PaperJobs
from footroom_api.jobs.scheduler import Progress, Scheduler, Work
from footroom_api.jobs.sizes import SizeJobs
from footroom_api.jobs.warm import WarmUp

__all__ = ["ControlsJobs", "Feed", "PaperJobs", "Progress", "Scheduler", "SizeJobs", "WarmUp", "Watcher", "Work"]
