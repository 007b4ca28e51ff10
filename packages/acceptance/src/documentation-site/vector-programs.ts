// Programs that sign golden cases with the functions of docs/integrate/signing.md. A case is a line of six words in
// Base64 behind a dot (so that empty ones are words too): secret, method, query, body, timestamp, nonce. A program
// prints canonical string and signature of each, in Base64 and as it is.

export const VECTOR_PROGRAMS: Readonly<Record<string, string>> = {
  ts: `
import { readFileSync } from 'node:fs'
import { sign } from './signing.ts'

const decode = (word: string) => Buffer.from(word.slice(1), 'base64')
for (const line of readFileSync('cases.txt', 'utf8').trim().split('\\n')) {
  const [secret, method, query, body, timestamp, nonce] = line.split(' ').map(decode)
  const text = String
  const { canonical, signature } = sign({
    secret: text(secret), method: text(method), query: text(query), body, timestamp: text(timestamp), nonce: text(nonce),
  })
  console.log(Buffer.from(canonical).toString('base64'), signature)
}
`,
  py: `
import base64
from signing import sign

with open("cases.txt") as cases:
    for line in cases:
        words = [base64.b64decode(word[1:]) for word in line.split()]
        secret, method, query, timestamp, nonce = (words[at].decode() for at in (0, 1, 2, 4, 5))
        _, canonical, signature = sign(secret, method, query, words[3], timestamp, nonce)
        print(base64.b64encode(canonical.encode()).decode(), signature)
`,
  php: `<?php
require 'signing.php';

foreach (file('cases.txt', FILE_IGNORE_NEW_LINES) as $line) {
    [, $canonical, $signature] = sign(...array_map(fn ($word) => base64_decode(substr($word, 1)), explode(' ', $line)));
    echo base64_encode($canonical), ' ', $signature, "\\n";
}
`,
  go: `package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strings"
)

func main() {
	file, err := os.Open("cases.txt")
	if err != nil {
		panic(err)
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for lines.Scan() {
		var words [6][]byte
		for at, word := range strings.Split(lines.Text(), " ") {
			words[at], _ = base64.StdEncoding.DecodeString(word[1:])
		}
		_, canonical, signature := sign(string(words[0]), string(words[1]), string(words[2]), words[3], string(words[4]), string(words[5]))
		fmt.Println(base64.StdEncoding.EncodeToString([]byte(canonical)), signature)
	}
}
`,
  java: `
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

public class Main {
    public static void main(String[] args) throws Exception {
        for (String line : Files.readAllLines(Path.of("cases.txt"))) {
            byte[][] words = new byte[6][];
            String[] parts = line.split(" ");
            for (int at = 0; at < 6; at++) words[at] = Base64.getDecoder().decode(parts[at].substring(1));
            String[] texts = new String[6];
            for (int at = 0; at < 6; at++) texts[at] = new String(words[at], StandardCharsets.UTF_8);
            Signing.Signed signed = Signing.sign(texts[0], texts[1], texts[2], words[3], texts[4], texts[5]);
            byte[] canonical = signed.canonical().getBytes(StandardCharsets.UTF_8);
            System.out.println(Base64.getEncoder().encodeToString(canonical) + " " + signed.signature());
        }
    }
}
`,
}
