-- How a customer uses what was bought, such as a PIN.
alter table catalog_products add column redemption text;
-- Texts of the catalogue in other languages, in the operator's own words.
-- owner: catalog
create table catalog_texts (
  language text not null check (language in ('ms', 'id', 'zh', 'ta')),
  text text not null,
  -- Null: it was taken back. The row stays, so that nodes learn of it.
  said text,
  version bigint not null,
  -- Texts may be too long for an index.
  digest text not null generated always as (md5(text)) stored,
  primary key (language, digest)
);
create index catalog_texts_version on catalog_texts (version);
