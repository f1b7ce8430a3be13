"""Words learned from texts without annotation: their company, and the classes it puts them in."""
