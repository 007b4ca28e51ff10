#!/usr/bin/env node
import { main } from '../dist/warung.js'

await main()
