-- Search for messages and channels (endpoints 5 and 8) in any language, by words and their beginnings.
--
-- A text is indexed as its words, as its symbols one by one and, of scripts that put no spaces between words, as every two
-- neighbouring characters and the last one. A tsvector rather than an array: its index also answers for beginnings of tokens.
--
-- Each token carries the level of its message: half of all messages are on level u, a quarter on t, and so on down to a. Asked
-- level by level from a, the index meets about as many hits as are wanted, however many there are; all levels are all hits.
-- Messages of the same ten minutes are on one level: they lie on the same pages.

-- Text as it is compared: compatibility forms and letter case aside.
create function search_text(text text) returns text language sql immutable parallel safe
  return case when octet_length(text) = length(text) then lower(text collate "C") else lower(normalize(text, NFKC)) end;

-- The two classes below are for use in bracket expressions.
-- What words are made of: letters and digits, and the marks of Latin, Hebrew, Arabic and Indic scripts.
create function word_characters() returns text language sql immutable parallel safe
  return '[:alnum:]\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED\u0900-\u0963\u0966-\u0DFF';

-- Thai, Lao, Myanmar, Khmer, kana, Han and Hangul. Korean does put spaces, but not between a word and its particles.
create function unspaced_characters() returns text language sql immutable parallel safe
  return '\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\U00020000-\U0003FFFF';

-- The words, cut to 64 characters, and the symbols of a text as it is compared; each behind the level.
create function word_tokens(text text, level text) returns text[] language sql immutable parallel safe
  return array_remove(string_to_array(
    regexp_replace(
      regexp_replace(translate(text, E'\t\n\u000B\f\r', '     '), '([' || word_characters() || ']{64})[' || word_characters() || ']+', '\1', 'g'),
      '[' || word_characters() || ']+|[^' || word_characters() || ' ]', ' ' || level || '\&', 'g'),
    ' '), '');

-- Every two neighbours of unspaced scripts, and what stands at the end of their run.
create function pair_tokens(text text, level text) returns text[] language sql immutable parallel safe
begin atomic
  select array_agg(level || character || case when next ~ ('[' || unspaced_characters() || ']') then next else '' end)
  from (
    select character, lead(character) over (order by position) as next
    from unnest(string_to_array(text, null)) with ordinality as characters(character, position)) as neighbours
  where character ~ ('[' || unspaced_characters() || ']');
end;

create function text_tokens(text text, level text) returns text[] language sql immutable parallel safe
  return case when text !~ ('[' || unspaced_characters() || ']') then word_tokens(text, level)
    else word_tokens(regexp_replace(text, '[' || unspaced_characters() || ']+', ' ', 'g'), level) || pair_tokens(text, level) end;

-- What a search is narrowed by, as a token that no text holds: longer than a symbol, and beginning as no word does.
create function facet_token(kind text, value text) returns text language sql immutable parallel safe
  return '#' || kind || md5(value);

-- Costly: to make the tokens of rows again is never the way to find some.
create function message_tokens(
  created_at timestamptz, channel_id text, message_feed_id text, user_id text, type text, tags text[], text text)
  returns tsvector language sql immutable parallel safe cost 10000
begin atomic
  select array_to_tsvector(text_tokens(search_text(text), level)
    || array[level || facet_token('channel', channel_id), level || facet_token('feed', coalesce(message_feed_id, '')),
      level || facet_token('user', user_id), level || facet_token('type', type)]
    || case when tags = '{}' then '{}' else (select array_agg(level || facet_token('tag', tag)) from unnest(tags) as tag) end)
  from chr(97 + width_bucket(
    timestamptz_hash_extended(date_bin('10 minutes', created_at, timestamptz '2000-01-01T00:00:00Z'), 0) & 1048575,
    array[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288]::bigint[]))
    as level;
end;

-- Channels are few: they need no levels.
create function channel_tokens(display_name text) returns tsvector language sql immutable parallel safe cost 10000
  return array_to_tsvector(text_tokens(search_text(display_name), ''));

-- What one level's tokens must hold where a text is to have every word of a query, or one that begins with the last word of each
-- of its terms. Null where a query has no words, which finds nothing.
create function search_query(query text, is_exact boolean, level text) returns tsquery language sql immutable parallel safe
begin atomic
  select string_agg(distinct
    '''' || replace(replace(level || token, '\', '\\'), '''', '''''') || case when begins then ''':*' else '''' end, '&')::tsquery
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

-- Messages with one of these values.
create function facet_query(kind text, wanted text[], level text) returns tsquery language sql immutable parallel safe
begin atomic
  select string_agg('''' || level || facet_token(kind, value) || '''', '|')::tsquery from unnest(wanted) as value;
end;

-- Regular expressions that a text matches where it has what a query asks for: each term as it is, at the beginning of a word; or,
-- exact, the query as it stands, not within a longer word.
create function search_patterns(query text, is_exact boolean) returns text[] language sql immutable parallel safe
begin atomic
  select array_agg(distinct
    case when wording ~ ('^(?![' || unspaced_characters() || '])[' || word_characters() || ']')
      then '(?:^|[^' || word_characters() || ']|[' || unspaced_characters() || '])' else '' end
    || regexp_replace(regexp_replace(wording, '[^[:alnum:]\s]', '\\\&', 'g'), '\s+', '\\s+', 'g')
    || case when is_exact and wording ~ ('[' || word_characters() || '](?<![' || unspaced_characters() || '])$')
      then '(?:$|[^' || word_characters() || ']|[' || unspaced_characters() || '])' else '' end)
  from (select regexp_replace(search_text(query), '^\s+|\s+$', '', 'g')) as trimmed(phrase)
  cross join lateral unnest(case when is_exact then array[phrase] else regexp_split_to_array(phrase, '\s+') end) as wording
  where wording <> '';
end;

-- Written to at once: a list of pending rows would be read through at every level of every search.
drop index message_text;
create index message_text on message using gin (
  message_tokens(created_at, channel_id, message_feed_id, user_id, type, tags, data ->> 'text')) with (fastupdate = off)
  where not is_deleted;

-- A channel's row is written with each of its messages: it waits in a list, which is kept short.
drop index channel_name;
create index channel_name on channel using gin (channel_tokens(display_name)) with (gin_pending_list_limit = 64) where not is_deleted;

drop function search_tokens;

-- Channels that are open to everyone.
create index channel_open on channel (channel_id) where is_public and type <> 'conversation' and not is_deleted;
