"""Run the benchmark house."""

from benchmarks.house import main

if __name__ == "__main__":
    main()
