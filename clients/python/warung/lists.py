"""Iterators over all pages of the lists. A payment or entry that moves to the next page comes once."""

HISTORY_PAGE = 500
STATEMENT_PAGE = 500
OPTIONS_PAGE = 1000
CURSOR_PAGE = 100
EVENTS_PAGE = 500


class ListsMixin:
    """Nouns are iterators; `list_…` and `get_…` are single pages. `limit` is the size of a page."""

    def transactions(self, *, date, limit=HISTORY_PAGE, **more):
        """Payments of a day or a range of days, newest first: `status`, `account`, `product`."""

        def page(offset):
            given = {**more, "date": date, "limit": limit, "offset": offset}
            return self.operation("listTransactions", given)["data"]

        return _once(_by_offset(page, limit), lambda row: row["trxid"])

    def statement(self, *, date, limit=STATEMENT_PAGE, **more):
        """Entries of the balance statement, newest first: `type`."""
        given = {**more, "date": date, "limit": limit}
        rows = _by_page(lambda page: self.operation("getBalanceStatement", {**given, "page": page}), "data")
        return _once(rows, lambda row: row["id"])

    def options(self, *, product_code, field_id, limit=OPTIONS_PAGE, **more):
        """Options of a select field: `account_number`, `biller_code`, `is_active` and the others of `get_options`."""
        given = {**more, "product_code": product_code, "field_id": field_id, "limit": limit}
        return _by_page(lambda page: self.operation("getOptions", {**given, "page": page}), "items")

    def options_for(self, product, field_id, values=None):
        """Options of a field of a product. `values` are the answers so far, which a dynamic field depends on."""
        field = next((each for each in product["fields"] if each["id"] == field_id), None)
        source = (field or {}).get("data_source")
        if source is None:
            raise ValueError(f"{product['code']} has no select field {field_id}")
        query = {"product_code": product["code"], "field_id": field_id}
        for name, origin in source["params"].items():
            value = origin["static"] if "static" in origin else (values or {}).get(origin["from_field"])
            if value in (None, ""):
                raise ValueError(f"{field_id} depends on {origin['from_field']}: fill it first")
            query[name] = value["code"] if isinstance(value, dict) else value
        return self.options(**query)

    def billers(self, *, limit=OPTIONS_PAGE, **more):
        """Billers of bill payment: `biller_code`, `suggested_category`."""
        given = {**more, "limit": limit}
        return _by_page(lambda page: self.operation("listBillers", {**given, "page": page}), "data")

    def cases(self, **given):
        """Disputes and voids, newest first: `state`, `kind`, `from_`, `to`."""
        return self._by_cursor("listCases", given, "data", "has_more")

    def orders(self, **given):
        """Orders of the checkout, newest first: `status`, `reference`, `user_id`, `from_`, `to`."""
        return self._by_cursor("listOrders", given, "data", "has_more")

    def callback_deliveries(self, **given):
        """Deliveries of callbacks, newest first: `status`, `from_`, `to`, `search`."""
        return self._deliveries("listCallbackDeliveries", given)

    def balance_webhook_deliveries(self, **given):
        """Deliveries of the balance webhook, newest first: `status`, `from_`, `to`, `search`."""
        return self._deliveries("listBalanceWebhookDeliveries", given)

    def catalog_webhook_deliveries(self, **given):
        """Deliveries of the catalogue webhook, newest first: `status`, `from_`, `to`, `search`."""
        return self._deliveries("listCatalogWebhookDeliveries", given)

    def order_webhook_deliveries(self, **given):
        """Deliveries of the order webhook, newest first: `status`, `from_`, `to`, `search`."""
        return self._deliveries("listOrderWebhookDeliveries", given)

    def events(self, *, after=0, limit=EVENTS_PAGE):
        """Events up to now, oldest first."""
        while True:
            page = self.operation("listEvents", {"after": after, "limit": limit})
            yield from page["data"]
            after = page["next"]
            if not page["has_more"]:
                return

    def _deliveries(self, operation, given):
        return self._by_cursor(operation, given, "deliveries", "hasMore")

    def _by_cursor(self, operation, given, key, more):
        # `from` is a word of Python, and is written `from_`.
        wire = {"limit": CURSOR_PAGE, **{name.rstrip("_"): value for name, value in given.items()}}
        cursor = None
        while True:
            page = self.operation(operation, {**wire, "cursor": cursor})
            yield from page[key]
            cursor = page["cursor"]
            if not page[more] or cursor is None:
                return


def _by_page(fetch, key):
    number = 1
    while True:
        page = fetch(number)
        yield from page[key]
        if number >= page["meta"]["last_page"]:
            return
        number += 1


def _by_offset(fetch, size):
    offset = 0
    while True:
        rows = fetch(offset)
        yield from rows
        if len(rows) < size:
            return
        offset += size


def _once(rows, identify):
    seen = set()
    for row in rows:
        key = identify(row)
        if key not in seen:
            seen.add(key)
            yield row
