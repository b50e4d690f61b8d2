-- Until then it has the order of before.
reindex index concurrently comment_urgent_of_author;
