-- Sessions of the desk are kept as the SHA-256 digest of their token, in hexadecimal, so that reading this table opens nothing.
-- Those in use go on: their cookies carry the token that the digest is made of. While processes of the version before still run, a
-- session is known only to processes of the version that it began or was converted with; the others ask to sign in again.
update staff_session set token = encode(sha256(convert_to(token, 'UTF8')), 'hex') where token !~ '^[0-9a-f]{64}$';
