-- A connection that one person alone added or changed: a second person decides before it takes orders.
alter table provider_connections add column is_prepared_alone boolean not null default false;
