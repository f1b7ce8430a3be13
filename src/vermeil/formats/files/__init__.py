"""What every format needs: files in and out, the ledger, the doctor, safe XML and JSON."""
