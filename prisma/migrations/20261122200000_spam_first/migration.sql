-- Spam is by far the most common reason: it gets the first key. Only where nobody has changed the reasons that came with Docket.
update rejection_reason
set position = case reason_id when 'spam' then 1 else position + 1 end
where position <= 7 and (
  select array_agg(reason_id order by position) = array['guidelines', 'harassment', 'self-harm', 'violence', 'restricted', 'sexual', 'spam',
    'false', 'others'] and bool_and(updated_by is null and not is_archived)
  from rejection_reason);
