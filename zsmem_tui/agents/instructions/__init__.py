"""The files of a folder that tell its agents what to do."""
