# The first commands on an empty production database, in an order that works. A test runs each line.
npx warungd help
npx warungd migrate
npx warungd operator create --email a@example.com --name "A" --role admin
npx warungd reseller create --name "Kedai Baru" --email hello@kedai.example --account 1000001 --price-level STANDARD
npx warungd key create --reseller 1000001 --json
npx warungd deposit --reseller 1000001 --amount 50 --remarks "Bank transfer 4711" --json
npx warungd ledger verify
npx warungd catalog import --file docs/examples/first-catalog.json --dry-run
npx warungd catalog import --file docs/examples/first-catalog.json
npx warungd provider add --code shelf --kind stock
npx warungd route set --product FIRSTPIN --provider shelf --cost 95%
npx warungd stock load --product FIRSTPIN --denomination 10 --file docs/examples/first-pins.csv --by Aminah
npx warungd catalog price --level STANDARD --product FIRSTPIN --percentage 0.97 --dry-run
npx warungd notice add --product FIRSTPIN --message "Maintenance until 6:00"
npx warungd payment stuck
npx warungd block list
npx warungd settlement import --help
npx warungd alert list
npx warungd delivery queue
npx warungd case list
npx warungd audit verify
