-- Views of one page that all have, and those of one person; few enough to be sorted.
create index saved_view_shared on saved_view (page) where is_shared;
