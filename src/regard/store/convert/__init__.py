"""Import and export of models, as the folders of other libraries."""
