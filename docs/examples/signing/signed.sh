#!/usr/bin/env bash
# Usage: BASE_URL=… API_KEY=… SIGNING_SECRET=… bash signed.sh METHOD PATH [QUERY] [BODY]
set -eo pipefail

method=$1 path=$2 query=$3 body=$4

timestamp=$(date +%s)
nonce=$(openssl rand -hex 16)
body_hash=$(printf '%s' "$body" | openssl dgst -sha256 -binary | openssl base64 -A)

# Parameters that have a value, sorted by key
sorted=$(printf '%s' "$query" | tr '&' '\n' | sed -n '/=./p' |
  LC_ALL=C sort -s -t= -k1,1 | paste -sd '&' -)

canonical="v1:$timestamp:$nonce:$method:$sorted:$body_hash"
key=$(printf '%s' "$SIGNING_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
signature=$(printf '%s' "$canonical" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

with_body=()
[ -z "$body" ] || with_body=(-H 'Content-Type: application/json' --data-binary "$body")

curl -sS --globoff -X "$method" "$BASE_URL$path${query:+?$query}" \
  -H "X-Api-Key: $API_KEY" \
  -H "X-Timestamp: $timestamp" \
  -H "X-Nonce: $nonce" \
  -H "X-Signature: v1=$signature" \
  "${with_body[@]}"
