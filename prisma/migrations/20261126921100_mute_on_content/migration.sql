create index concurrently mute_on_content on mute (subject_type, subject_id) where subject_id is not null;
