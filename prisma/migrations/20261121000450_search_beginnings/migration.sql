-- Search over ten million messages (endpoint 5): of words the short beginnings, and of scripts that put no spaces between words the
-- single characters, are tokens of their own. To find what begins in some way the index leafs through every token that does; a
-- token that it knows it skips through, beside others that are rarer.

-- What a text is found by, a line each: its words, cut to 64 characters, and its symbols; behind a circumflex, the beginnings of
-- two and of three characters of each word; behind a space, a token of every two that stand side by side; of scripts that put no
-- spaces between words every character, and every two neighbours.
-- It is run for every message: PL/pgSQL keeps its expressions ready. It calls nothing of ours, and takes the class as an
-- argument, because an index is built where our names are not looked for.
create or replace function token_lines(words text, unspaced_characters text) returns text
  language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  has_unspaced boolean := words ~ ('[' || unspaced_characters || ']');
  spaced text := words;
  lines text := '';
  word text;
  previous text;
begin
  foreach word in array string_to_array(btrim(words), ' ') loop
    lines := lines || coalesce(E'\n ' || left(md5(previous || ' ' || word), 3), '');
    previous := word;
    continue when length(word) < 2 or has_unspaced and word ~ ('[' || unspaced_characters || ']');
    lines := lines || E'\n^' || left(word, 2) || E'\n^' || left(word, 3);
  end loop;
  if has_unspaced then
    spaced := regexp_replace(words, '(?: ?[' || unspaced_characters || ']+ ?)+', ' ', 'g');
    lines := lines || (
      select string_agg(
        E'\n' || character || case when next ~ ('[' || unspaced_characters || ']') then E'\n' || character || next else '' end, '')
      from (
        select character, lead(character) over (order by position) as next
        from unnest(string_to_array(words, null)) with ordinality as characters(character, position)) as neighbour
      where character ~ ('[' || unspaced_characters || ']'));
  end if;
  return lines || coalesce(
    E'\n' || replace(nullif(btrim(regexp_replace(spaced, '([^ ]{64})[^ ]+', '\1', 'g')), ''), ' ', E'\n'), '');
end $$;

-- What a text's tokens must hold where it is to have every word of a query, or one that begins with the last word of each of its
-- terms. A line break stands where the level belongs. Null where a query has no words, which finds nothing.
create or replace function search_query(query text, is_exact boolean) returns text language sql immutable parallel safe
begin atomic
  select string_agg(distinct
    case when begins and length(token) in (2, 3) then '''' || E'\n^' || token || ''''
      when begins then '''' || E'\n' || token || ''':*'
      else '''' || E'\n' || replace(replace(token, '\', '\\'), '''', '''''') || '''' end, '&')
  from regexp_split_to_table(search_text(query), '\s+') as term
  cross join lateral (
    select left(piece[1], 64) as token,
      not is_exact and right(term, length(piece[1])) = piece[1] and piece[1] ~ ('^[' || word_characters() || ']') as begins
    from regexp_matches(regexp_replace(term, '[' || unspaced_characters() || ']+', ' ', 'g'),
      '[' || word_characters() || ']+|[^' || word_characters() || ' ]', 'g') as piece
    union all
    select character || coalesce(next, ''), false
    from (
      select character, position, lead(character) over (partition by run order by position) as next
      from regexp_matches(term, '[' || unspaced_characters() || ']+', 'g') with ordinality as runs(piece, run)
      cross join lateral unnest(string_to_array(piece[1], null)) with ordinality as characters(character, position)) as neighbours
    where next is not null or position = 1) as tokens;
end;

reindex index message_text;
reindex index channel_name;
