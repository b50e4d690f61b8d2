-- Whether a title or text may have a link: a superset of what server/modules/rules/conditions/links.ts finds.
create function may_have_link(data jsonb) returns boolean language sql immutable parallel safe as $$
  select coalesce(data ->> 'text' ~ '[^[:space:].]\.[^[:space:].]|//', false)
    or coalesce(data ->> 'title' ~ '[^[:space:].]\.[^[:space:].]|//', false)
$$;
