-- People of a reseller get narrower roles. admin stays the word for the owner.
alter table users drop constraint users_role_check,
  add constraint users_role_check check (role in ('admin', 'manager', 'cashier', 'accountant', 'viewer'));
alter table invitations drop constraint invitations_role_check,
  add constraint invitations_role_check check (role in ('admin', 'manager', 'cashier', 'accountant', 'viewer'));
