-- Search over ten million messages (endpoint 5): what a row is checked for is read off it, not made again from its text, and two
-- words that stand side by side are one look-up.

drop index message_text, channel_name;
drop function message_tokens, channel_tokens, text_tokens, word_tokens, pair_tokens, search_query, facet_query;

-- A text as it is searched: compatibility forms and letter case aside, every word, symbol and run of an unspaced script between
-- single spaces. So ' the' begins a word, ' the ' is one, and ' of the ' are two with nothing but white space between them.
create function search_words(text text) returns text language sql immutable parallel safe cost 100
  return regexp_replace(
    regexp_replace(' ' || search_text(text) || ' ',
      '[' || unspaced_characters() || ']+|[^' || word_characters() || unspaced_characters() || ' ]', ' \& ', 'g'),
    '\s{2,}|[^\S ]', ' ', 'g');

alter table message add column words text generated always as (search_words(data ->> 'text')) stored;

-- One of 4,096 for two words that stand side by side: who asks for both words and for it meets hardly a text that has them apart.
create function pair_token(word text, next text) returns text language sql immutable parallel safe
  return E'\n ' || left(md5(word || ' ' || next), 3);

-- What a text is found by, a line each: its words, cut to 64 characters, and its symbols; behind a space, a token of every two of
-- them; of scripts that put no spaces between words every two neighbours, and what stands at the end of their run.
-- It is run for every message: PL/pgSQL keeps its expressions ready. It calls nothing of ours, and takes the class as an
-- argument, because an index is built where our names are not looked for.
create function token_lines(words text, unspaced_characters text) returns text
  language plpgsql immutable strict parallel safe cost 1000 as $$
declare
  spaced text := words;
  lines text := '';
  word text;
  previous text;
begin
  foreach word in array string_to_array(btrim(words), ' ') loop
    lines := lines || coalesce(E'\n ' || left(md5(previous || ' ' || word), 3), '');
    previous := word;
  end loop;
  if words ~ ('[' || unspaced_characters || ']') then
    spaced := regexp_replace(words, '(?: ?[' || unspaced_characters || ']+ ?)+', ' ', 'g');
    lines := lines || (
      select string_agg(E'\n' || character || case when next ~ ('[' || unspaced_characters || ']') then next else '' end, '')
      from (
        select character, lead(character) over (order by position) as next
        from unnest(string_to_array(words, null)) with ordinality as characters(character, position)) as neighbour
      where character ~ ('[' || unspaced_characters || ']'));
  end if;
  return lines || coalesce(
    E'\n' || replace(nullif(btrim(regexp_replace(spaced, '([^ ]{64})[^ ]+', '\1', 'g')), ''), ' ', E'\n'), '');
end $$;

create function search_tokens(words text) returns text language sql immutable parallel safe cost 1000
  return token_lines(words, unspaced_characters());

create or replace function facet_token(kind text, value text) returns text language sql immutable parallel safe
  return E'\n#' || kind || md5(value);

create function tag_tokens(tags text[]) returns text language plpgsql immutable parallel safe as $$
declare
  tag text;
  lines text := '';
begin
  foreach tag in array tags loop
    lines := lines || E'\n#tag' || md5(tag);
  end loop;
  return lines;
end $$;

-- Messages of the same ten minutes are on one level: half of all on u, a quarter on t, and so on.
create function message_level(created_at timestamptz) returns text language sql immutable parallel safe
  return chr(97 + width_bucket(
    timestamptz_hash_extended(date_bin('10 minutes', created_at, timestamptz '2000-01-01T00:00:00Z'), 0) & 1048575,
    array[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288]::bigint[]));

-- Every line behind its level.
create function level_tokens(lines text, level text) returns tsvector language sql immutable parallel safe cost 1000
  return array_to_tsvector(string_to_array(substr(replace(lines, E'\n', E'\n' || level), 2), E'\n'));

create function message_tokens(
  created_at timestamptz, channel_id text, message_feed_id text, user_id text, type text, tags text[], words text)
  returns tsvector language sql immutable parallel safe cost 1000
  return level_tokens(
    facet_token('channel', channel_id) || facet_token('feed', coalesce(message_feed_id, '')) || facet_token('user', user_id)
      || facet_token('type', type) || tag_tokens(tags) || coalesce(search_tokens(words), ''),
    message_level(created_at));

-- Channels are few: they need no levels.
create function channel_tokens(display_name text) returns tsvector language sql immutable parallel safe cost 1000
  return level_tokens(coalesce(search_tokens(search_words(display_name)), ''), '');

-- What a text's tokens must hold where it is to have every word of a query, or one that begins with the last word of each of its
-- terms. A line break stands where the level belongs. Null where a query has no words, which finds nothing.
create function search_query(query text, is_exact boolean) returns text language sql immutable parallel safe
begin atomic
  select string_agg(distinct
    '''' || E'\n' || replace(replace(token, '\', '\\'), '''', '''''') || case when begins then ''':*' else '''' end, '&')
  from regexp_split_to_table(search_text(query), '\s+') as term
  cross join lateral (
    select left(piece[1], 64) as token,
      not is_exact and right(term, length(piece[1])) = piece[1] and piece[1] ~ ('^[' || word_characters() || ']') as begins
    from regexp_matches(regexp_replace(term, '[' || unspaced_characters() || ']+', ' ', 'g'),
      '[' || word_characters() || ']+|[^' || word_characters() || ' ]', 'g') as piece
    union all
    select character || coalesce(next, ''), next is null
    from (
      select character, position, lead(character) over (partition by run order by position) as next
      from regexp_matches(term, '[' || unspaced_characters() || ']+', 'g') with ordinality as runs(piece, run)
      cross join lateral unnest(string_to_array(piece[1], null)) with ordinality as characters(character, position)) as neighbours
    where next is not null or position = 1) as tokens;
end;

-- What they must hold besides where the words of the query are to stand side by side as they do there. Null where no two do.
create function neighbour_query(query text) returns text language sql immutable parallel safe
begin atomic
  select string_agg(distinct '''' || pair_token(word, next) || '''', '&')
  from (
    select word, lead(word) over (order by place) as next
    from string_to_table(btrim(search_words(query)), ' ') with ordinality as words(word, place)) as neighbours
  where word || next !~ ('[' || unspaced_characters() || ']');
end;

-- Messages with one of these values.
create function facet_query(kind text, wanted text[]) returns text language sql immutable parallel safe
begin atomic
  select '(' || string_agg('''' || facet_token(kind, value) || '''', '|') || ')' from unnest(wanted) as value;
end;

-- Written to at once: a list of pending rows would be read through at every level of every search.
create index message_text on message using gin (
  message_tokens(created_at, channel_id, message_feed_id, user_id, type, tags, words)) with (fastupdate = off)
  where not is_deleted;

-- A channel's row is written with each of its messages: it waits in a list, which is kept short.
create index channel_name on channel using gin (channel_tokens(display_name)) with (gin_pending_list_limit = 64) where not is_deleted;
