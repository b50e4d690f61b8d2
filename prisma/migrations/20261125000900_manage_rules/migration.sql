-- For the global admin, and for each role that grants all that a community moderator may do: who may grant that role today may do so still.
update role set permissions = array(select unnest(role.permissions || array['MANAGE_RULES']) order by 1)
where not 'MANAGE_RULES' = any(permissions) and (role_id = 'global-admin' or 'REVIEW_COMMUNITY_COMMENT' = any(permissions) and
  permissions @> (select moderator.permissions from role moderator where moderator.role_id = 'community-moderator'));
