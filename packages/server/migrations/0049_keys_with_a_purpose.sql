-- What a key is for: what it may sell, how much it may spend, until when and from where. null: nothing beyond the
-- reseller's own rules. The sums of its caps hang on purpose_id, which a rotated key keeps; null: the key's own id.
alter table api_keys
  add column purpose_id bigint,
  -- Codes of products, categories and groups of the base catalogue.
  add column products text[],
  -- 1/10,000 ringgit of cost: of one payment, of a day and of a month by GMT+8.
  add column max_amount bigint check (max_amount >= 0),
  add column daily_cap bigint check (daily_cap >= 0),
  add column monthly_cap bigint check (monthly_cap >= 0),
  -- The end that was given to it. expires_at is that of a rotation's grace.
  add column ends_at timestamptz,
  -- Addresses and CIDRs in one spelling.
  add column networks text[],
  add column note text not null default '';
