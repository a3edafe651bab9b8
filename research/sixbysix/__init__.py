"""6mal6: how near its players come to perfect play, measured where that can be computed."""
