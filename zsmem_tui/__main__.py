"""`python -m zsmem_tui`."""

from zsmem_tui.entry import main

if __name__ == "__main__":
    main()
