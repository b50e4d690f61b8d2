-- A name as people type it from memory: without case, accents, vowel points, apostrophes and punctuation, with single spaces. Letters that
-- have no decomposition are replaced by their usual spelling (ø by o, ß by ss), as are the variants of Arabic letters and digits. A name
-- of punctuation only stays as it is.
create function folded_name(name text) returns text language sql immutable parallel safe cost 100
return coalesce(
  nullif(btrim(regexp_replace(
    case when octet_length(name) = length(name) then lower(translate(name, '''`', '') collate "C")
    else
      replace(replace(replace(replace(translate(
        lower(regexp_replace(
          normalize(translate(name, '''`´’‘ʼʻʹʾʿ׳', ''), NFKD),
          '[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06ED\u200B-\u200F\u2060\uFEFF]',
          '', 'g')),
        'øłđðħıŋςىیةکٱ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'olddhinσييهكا01234567890123456789'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
    end,
    '[\u0001-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u00BF\u05BE\u060C\u061B\u061F\u066A-\u066D\u06D4\u0964\u0965\u2000-\u206F\u3000-\u3004\u3008-\u3020\u30FB]+',
    ' ', 'g')), ''),
  lower(name));

-- The words of a name, and each of them with any one letter left out. Two words that are one error apart (a letter too many, too few,
-- another one, or two neighbours transposed) have one of these in common, so that an index finds one by the other.
create function name_spellings(name text) returns text[] language sql immutable parallel safe cost 1000
return array(
  select word from unnest((string_to_array(folded_name(name), ' '))[:8]) as word where word <> ''
  union
  select overlay(word placing '' from letter for 1)
  from unnest((string_to_array(folded_name(name), ' '))[:8]) as word
  cross join lateral generate_series(1, length(word)) as letter
  where length(word) between 3 and 32);

create index network_user_folded_name on network_user (folded_name(coalesce(display_name, user_id)), user_id);
create index network_user_folded_part on network_user using gin (folded_name(display_name) gin_trgm_ops);
create index network_user_spellings on network_user using gin (name_spellings(display_name));
