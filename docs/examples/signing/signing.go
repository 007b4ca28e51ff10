package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
	"time"
)

func sign(secret, method, query string, body []byte, timestamp, nonce string) (bodyHash, canonical, signature string) {
	sum := sha256.Sum256(body)
	bodyHash = base64.StdEncoding.EncodeToString(sum[:])
	canonical = fmt.Sprintf("v1:%s:%s:%s:%s:%s", timestamp, nonce, strings.ToUpper(method), canonicalQuery(query), bodyHash)
	key, _ := base64.StdEncoding.DecodeString(secret)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(canonical))
	return bodyHash, canonical, "v1=" + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// canonicalQuery keeps parameters that have a value, sorted by key; equal keys keep their order.
func canonicalQuery(query string) string {
	var parts []string
	for _, part := range strings.Split(query, "&") {
		if _, value, _ := strings.Cut(part, "="); value != "" {
			parts = append(parts, part)
		}
	}
	key := func(part string) string { name, _, _ := strings.Cut(part, "="); return name }
	sort.SliceStable(parts, func(a, b int) bool { return key(parts[a]) < key(parts[b]) })
	return strings.Join(parts, "&")
}

func call(method, path, query, body string) (string, error) {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return "", err
	}
	timestamp, nonce := fmt.Sprint(time.Now().Unix()), hex.EncodeToString(random)
	_, _, signature := sign(os.Getenv("SIGNING_SECRET"), method, query, []byte(body), timestamp, nonce)
	address := os.Getenv("BASE_URL") + path
	if query != "" {
		address += "?" + query
	}
	request, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("X-Api-Key", os.Getenv("API_KEY"))
	request.Header.Set("X-Timestamp", timestamp)
	request.Header.Set("X-Nonce", nonce)
	request.Header.Set("X-Signature", signature)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return string(text), err
}
