-- Whether a title or text may have a link: a superset of what server/modules/rules/conditions/links.ts finds. PL/pgSQL,
-- as each statement that writes a row would inline a function in SQL into the conditions of two indexes first.
create or replace function may_have_link(data jsonb) returns boolean language plpgsql immutable parallel safe as $$
begin
  return coalesce(data ->> 'text' ~ '[^[:space:].]\.[^[:space:].]|//', false)
    or coalesce(data ->> 'title' ~ '[^[:space:].]\.[^[:space:].]|//', false);
end
$$;
