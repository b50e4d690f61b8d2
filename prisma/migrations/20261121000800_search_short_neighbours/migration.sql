-- Search over ten million messages (endpoint 5): two neighbouring words of up to three characters are a token as they stand. The
-- most common words are short, so phrases of them are the most common phrases; and they need not be looked for in the rows.

create or replace function pair_token(word text, next text) returns text language sql immutable parallel safe
  return E'\n ' || case when length(word) <= 3 and length(next) <= 3 then word || ' ' || next
    else left(md5(word || ' ' || next), 3) end;

-- What a text is found by, a line each: its words, cut to 64 characters, and its symbols; behind a circumflex, the beginnings of
-- two and of three characters of each word; behind a space, a token of every two that stand side by side, as `pair_token` makes
-- it; of scripts that put no spaces between words every character, and every two neighbours.
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
    lines := lines || coalesce(E'\n ' || case when length(previous) <= 3 and length(word) <= 3 then previous || ' ' || word
      else left(md5(previous || ' ' || word), 3) end, '');
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

-- What a text's tokens must hold where the words of a query are to stand side by side as they do there. Null where no two do.
create or replace function neighbour_query(query text) returns text language sql immutable parallel safe
begin atomic
  select string_agg(distinct '''' || replace(replace(pair_token(word, next), '\', '\\'), '''', '''''') || '''', '&')
  from (
    select word, lead(word) over (order by place) as next
    from string_to_table(btrim(search_words(query)), ' ') with ordinality as words(word, place)) as neighbours
  where word || next !~ ('[' || unspaced_characters() || ']');
end;

reindex index message_text;
reindex index channel_name;
