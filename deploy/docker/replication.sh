# Runs once, when the database is made: the service may copy it, for backups. The network is that of compose.yaml.
echo 'host replication warung 172.30.0.0/24 scram-sha-256' >> "$PGDATA/pg_hba.conf"
