-- The currency of what is left at a supplier, by ISO 4217. Its alert threshold is in the same currency.
alter table provider_floats add column currency text not null default 'MYR';
alter table provider_float_readings add column currency text not null default 'MYR';
