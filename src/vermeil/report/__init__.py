"""What people look at: trees as text and as pictures, the report page, and views in a notebook."""
