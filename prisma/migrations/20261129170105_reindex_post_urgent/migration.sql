-- Until then it has the order of before.
reindex index concurrently post_urgent;
