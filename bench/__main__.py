"""`python -m bench`."""

from bench.cli.app import main

if __name__ == "__main__":
    main()
