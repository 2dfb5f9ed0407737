"""Models from elsewhere, in and out, as the folders that their own libraries read and write."""
