"""What commands show: tables, bars, progress, JSON."""
