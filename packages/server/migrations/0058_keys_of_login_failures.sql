-- Every table has a primary key: without one, changes of its rows cannot be carried to another server.
alter table login_failures add column id bigint not null generated always as identity primary key;
