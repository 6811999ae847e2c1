"""Operations on files: reading, replacing in one step, locking, files of our own. No rule of memory is in here."""
